import { type Concepts, FAILED, HIGH } from './concept.ts';

/** Links, traffic, names and addresses. */
export const NETWORKS: Concepts = {
  'link-down': [
    `link|links|interface|interfaces|port|ports|uplink|nic|ethernet|trunk|carrier|lacp|bond|channel|ifoperstatus down|lost|${FAILED}|flapping|flap|unplugged|disconnected|inactive|degraded|no|off`,
    'cable|cables|unplugged',
    'linkdown',
  ],
  'packet-loss': [
    'packet|packets|frames|ping loss|lost|losing|drop|dropped|drops|dropping|discard|discarded',
    'discards',
    'crc error|errors',
    'interface|input|output|rx|tx errors|drops',
    'retransmit|retransmits|retransmission|retransmissions',
  ],
  'port-disabled': [
    'port|ports|interface|interfaces|ethernet|switchport disabled|disable|shut|shutdown|blocked|suspended',
    'err|error disabled|disable',
    'errdisable|errdisabled',
    'bpdu guard',
  ],
  flapping: ['flap|flapping|flaps|flapped|bouncing|unstable|intermittent|intermittently', 'up down'],
  'network-slow': [
    'network|wan|internet|line|lan slow|latency|lag|jitter|delay|congested|congestion|bad|poor',
    'round trip',
    'rtt|jitter|rta',
  ],
  bandwidth: [
    'bandwidth|congestion|congested',
    `traffic|throughput ${HIGH}|full|rate`,
    'link|interface|uplink|port|line utilization|utilisation|saturated|usage|full|overloaded',
  ],
  'connection-refused': [
    `connection|connections|connect|connecting|connects|connectivity refused|refuse|refuses|rejected|denied|reset|closed|aborted|broken|lost|cannot|unable|could|can|dropped|${FAILED}`,
    'econnrefused|econnreset',
    'port closed|listening|unavailable',
    'broken pipe',
    'cannot|unable|could|not reach|contact|talk',
  ],
  timeout: ['timeout|timeouts|etimedout|deadline', 'time|times|timed|timing out'],
  dns: [
    'dns|resolver|nxdomain|servfail|nameserver|nameservers',
    'name|names|host|hostname|hostnames|hosts|domain resolution|resolve|resolved|resolving|resolves|lookup|lookups',
  ],
  dhcp: ['dhcp|lease|leases', 'ip|address|addresses pool|conflict|duplicate|exhausted'],
  routing: [
    'bgp|ospf|eigrp|isis|vrrp|hsrp',
    'route|routes|routing lost|missing|flap|flapping|changed|withdrawn|table|no|loop',
    'neighbor|neighbour|neighbors|neighbours|adjacency|peer|peers|peering down|lost|idle|reset|session',
  ],
  vpn: ['vpn|ipsec|tunnel|tunnels|ike|wireguard|openvpn|anyconnect', 'remote access|workers|users|office'],
  firewall: [
    'firewall|firewalls|acl|iptables|fortigate|fortinet|checkpoint|paloalto|nftables',
    'traffic|packets|port blocked|denied|blocking',
  ],
  'load-balancer': [
    'haproxy|f5|bigip|elb|alb|vip|traefik|netscaler|loadbalancer',
    'load balancer|balancers|balancing',
    'pool member|members',
    'backend|backends|upstream|upstreams|origin healthy|unhealthy|no|available',
  ],
  wifi: ['wifi|wlan|wireless|ssid|accesspoint', 'access point|points', 'wi fi'],
  switch: ['switch|switches|vlan|vlans|stp', 'spanning tree', 'switch|fabric stack|module'],
  internet: ['internet|wan|isp|mpls|uplink', 'service|internet|network provider'],
  telephony: ['voip|sip|telephony|phone|phones|pbx|voice|asterisk'],
};
