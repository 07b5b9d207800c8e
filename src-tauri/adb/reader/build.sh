#!/bin/sh
# Makes reader.dex of the sources, and writes down what it was made of. Needs javac (17 at most: it still writes what dx
# reads) and any dexer: DEXER='d8' or DEXER='java -jar dx.jar --dex' (Debian 11: package dalvik-exchange).
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/standins" "$work/classes"
javac --release 7 -Xlint:-options -d "$work/standins" $(find standins -name '*.java')
javac --release 7 -Xlint:-options -g:none -cp "$work/standins" -d "$work/classes" java/pocketdeck/*.java
case "${DEXER:?which dexer?}" in
    *--dex) (cd "$work/classes" && $DEXER --output="$work/classes.dex" .) ;;
    *) $DEXER --release --min-api 24 --lib "$work/standins" --output "$work" "$work"/classes/pocketdeck/*.class ;;
esac
mv "$work/classes.dex" reader.dex
{
    echo "source $(LC_ALL=C cat java/pocketdeck/*.java | sha256sum | cut -d' ' -f1)"
    echo "dex $(sha256sum reader.dex | cut -d' ' -f1)"
} > reader.sha256
