#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/roundtable" "$@"
