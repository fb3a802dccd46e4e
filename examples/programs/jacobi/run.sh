#!/bin/sh
# ATF's run script: the program writes the cost file.
# usage: run.sh FOLDER
exec "$1/jacobi" "$1/costs.txt"
