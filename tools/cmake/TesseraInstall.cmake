# Installation: filled below
