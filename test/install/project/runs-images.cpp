// Sees what a user of tessera::runtime sees.
#include <tessera/core/Error.h>

int main() {
  try {
    throw tessera::UsageError("seen from outside");
  } catch (const tessera::Error &) {
    return 0;
  }
}
