#!/usr/bin/env bash
# Compares what the tuner reports with what a program gets: see ship.py --help.
exec "$(dirname "$0")/ship.py" "$@"
