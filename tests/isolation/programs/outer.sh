# A network for tests, to be run as the root of namespaces of its own: this one, and "the world" behind a veth. Every
# address outside leads to the world, and the world leads nowhere: whatever a test lets out, nothing leaves the machine.
#
#     outer.sh FOLDER COMMAND...
#
# FOLDER gets world.log (what came out) and host.log (what reached services of the host that a sandbox must hide).
set -e
folder=$1
programs=$(dirname "$0")
shift

ip link set lo up
printf 'nameserver 192.0.2.2\noptions timeout:1 attempts:1\n' >"$folder/resolv.conf"
mount --bind "$folder/resolv.conf" /etc/resolv.conf
mount -t tmpfs tmpfs /run # services are planted below it, and the machine's own are nobody's business

unshare --net sleep 600 &
world=$!
while [ "$(readlink /proc/$world/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
ip link add out0 type veth peer name out1 netns "$world"
echo 1 >/proc/sys/net/ipv6/conf/out0/addr_gen_mode # no address of its own, which the link would tell the other side
ip addr add 192.0.2.1/24 dev out0
ip -6 addr add 2001:db8::1/32 dev out0 nodad
ip link set out0 up
nsenter --target "$world" --net sh -e -c '
  echo 1 >/proc/sys/net/ipv6/conf/out1/addr_gen_mode
  ip link set lo up
  ip addr add 192.0.2.2/24 dev out1
  ip -6 addr add 2001:db8::2/32 dev out1 nodad
  ip link set out1 up
  for family in -4 -6; do # whatever is no neighbour
    ip "$family" route add local default dev lo table 100
    ip "$family" rule add pref 40000 lookup 100
  done
'
ip route add default via 192.0.2.2
ip -6 route add default via 2001:db8::2

nsenter --target "$world" --net python3 "$programs/world.py" >"$folder/world.log" 2>&1 &
python3 "$programs/host.py" "$folder" >"$folder/host.log" 2>&1 &
until grep -q ready "$folder/world.log" && grep -q ready "$folder/host.log"; do sleep 0.05; done

set +e
"$@"
code=$?
sleep 1.5 # a process that was left behind may still try
exit "$code"
