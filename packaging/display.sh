#!/usr/bin/env bash
# Tells whether a window can be shown here: exits 0 if so. A variable that names a display proves nothing: it outlives the
# session that set it, and Qt ends the process over a display that does not answer.
platform=${QT_QPA_PLATFORM:-}
case $platform in
"" | xcb* | wayland*) ;;
offscreen* | minimal | minimal:*) exit 1 ;; # an invisible window
*) exit 0 ;; # vnc, linuxfb, eglfs: displays of their own
esac
wayland=${WAYLAND_DISPLAY:-}
if [ -n "$wayland" ] && [[ $platform != xcb* || $platform = *";wayland"* ]]; then
    [[ $wayland = /* ]] || wayland=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}/$wayland
    [ ! -S "$wayland" ] || exit 0
fi
[[ $platform != wayland* || $platform = *";xcb"* ]] || exit 1
# HOST:NUMBER.SCREEN; without a host, or on "unix", a socket of this machine, else one of the network (ssh -X: localhost:10.0).
[[ ${DISPLAY:-} =~ ^(.*):([0-9]+)(\.[0-9]+)?$ ]] || exit 1
host=${BASH_REMATCH[1]} number=${BASH_REMATCH[2]}
case $host in
"" | unix) [ -S "/tmp/.X11-unix/X$number" ] || grep -q "@/tmp/.X11-unix/X$number\$" /proc/net/unix ;;
*) timeout 5 bash -c "exec 3<>/dev/tcp/$host/$((6000 + number))" 2>/dev/null ;;
esac
