import { type Concepts, DISK, FAILED, GONE, HIGH } from './concept.ts';

/** Disks, memory, processors, and the hardware around them. */
export const MACHINES: Concepts = {
  'disk-full': [
    `out ${DISK}|space`,
    'no space|room',
    'low|insufficient|enough|running|free|exhausted|left space',
    `${DISK} full|filled|filling|fill|fills|exhausted|usage|utilization|utilisation|used|capacity|overflow|space|90|95|98|99|100`,
    'quota full|exceeded|reached',
    'enospc',
  ],
  inodes: ['inode|inodes'],
  'disk-failing': [
    `${DISK}|nvme ${FAILED}|failing|predictive|prefail|removed|degraded`,
    'smart error|errors|warning|fail|failed|failure|status|predictive',
    'bad sector|sectors|block|blocks',
    'io|medium|uncorrectable error|errors',
    'reallocated|pending sectors|sector',
  ],
  'disk-slow': [`${DISK}|san|nas|io|iops slow|latency|wait|await|queue|busy|saturated|throughput`, 'iowait'],
  raid: ['raid', 'array|mirror|vdisk degraded|rebuild|rebuilding|failed|broken', 'hot spare', 'controller battery'],
  'read-only-filesystem': [
    'read only filesystem|file|fs|mount|mounted|remounted|disk|volume',
    'readonly|erofs',
    'remount|remounted|remounting',
  ],
  'mount-failed': [
    `mount|nfs|cifs|smb|share|fileshare ${GONE}|${FAILED}|stale|hang|hung|timeout|not`,
    'stale handle',
    'unmounted',
    'fileserver',
    'file share|shares|server',
  ],
  'backup-failed': [
    `backup|backups|dump|dumps|rman|veeam|bacula|restore|snapshot ${FAILED}|missing|missed|incomplete|old|stuck|not|overdue|skipped|late|unfinished`,
  ],
  backup: ['backup|backups|veeam|bacula|rman|netbackup|commvault'],
  snapshot: ['snapshot|snapshots'],
  'storage-path': [
    'multipath|multipathing|hba|iscsi',
    'path|paths lost|down|failed|redundancy|missing|dead',
    'fibre|fiber channel',
    'storage array|controller|fabric',
  ],
  tablespace: ['tablespace|tablespaces|datafile'],
  'cpu-high': [
    `cpu|cpus|processor|processors|core|cores ${HIGH}|overload|overloaded|hot|percent|full|100|runaway|hog`,
    'load average|high|heavy|system',
    'overload|overloaded',
  ],
  'cpu-throttled': ['cpu steal|ready|throttled|throttling', 'steal time'],
  'out-of-memory': [
    'out memory|ram|heap',
    'oom|oomkilled|oomkiller|outofmemoryerror|outofmemory|enomem|malloc',
    `memory|ram|heap|mem ${HIGH}|exhausted|full|pressure|low|shortage|allocate|allocation|killed|available|free|limit|insufficient|short|eating`,
    'java heap',
  ],
  'memory-leak': ['memory|heap leak|leaks|leaking|growing|grows|grow'],
  swap: ['swap|swapping|pagefile|paging|thrashing'],
  'file-descriptors': ['file descriptor|descriptors|handles', 'too many open', 'emfile|enfile|ulimit'],
  'kernel-panic': ['kernel panic|oops|bug|crash|crashed|hung', 'bsod|bugcheck', 'blue screen', 'soft|hard lockup'],
  'host-down': [
    `host|hosts|server|servers|machine|machines|node|nodes|box|device|system|instance|vm|computer ${GONE}|ping|pingable|off|up`,
    'unreachable|ehostunreach|icmp',
    'ping|pings fail|failed|failing|timeout|lost|loss|no|not|critical',
    'no route host',
    'heartbeat lost|missing|missed|no|timeout',
  ],
  restart: [
    'restart|restarted|restarting|restarts|reboot|rebooted|rebooting|reboots|uptime|reset|boot|booted|bounced|bounce',
  ],
  overheating: [
    'overheat|overheating|overheated|temperature|thermal|heat|cooling|overtemperature|celsius|crac',
    'too|running hot|warm',
  ],
  fan: ['fan|fans|blower'],
  power: [
    'power supply|loss|lost|failure|fail|failed|outage|redundancy|off|down|cut',
    'psu|psus|pdu|voltage|blackout|brownout|mains|electricity',
  ],
  ups: ['ups|batteries', 'on|low|weak|replace|discharged battery'],
  'hardware-fault': [
    `hardware ${FAILED}|fault|alert|degraded|problem`,
    'ecc|dimm|mce|motherboard|backplane|chassis|ipmi|idrac|ilo',
    'machine check',
    'memory|ram module|bank|slot|correctable|uncorrectable|parity',
  ],
  clock: [
    'ntp|chrony|chronyd|stratum',
    'time|clock drift|drifts|drifting|skew|offset|sync|synced|synchronised|synchronized|synchronisation|synchronization|unsynchronised|unsynchronized|wrong|jump|off',
  ],
  'cash-machine': [
    'atm|atms|cashpoint|cashpoints|cassette|cassettes',
    'cash machine|machines|dispenser|dispensers|point|points',
  ],
  'storage-controller': [
    'storage|disk|raid|array|san controller|controllers|processor|processors',
    `controller|controllers ${FAILED}|failover|takeover|battery|offline|reset`,
  ],
  'virtual-machine': [
    'vm|vms|vcenter|esx|esxi|vmware|hypervisor|hyperv|kvm|qemu|vsphere|xen|proxmox',
    'virtual machine|machines|server|host',
  ],
  'vm-migration': ['vmotion|livemigration', 'vm|live|machine migration|migrated|migrate|evacuated|drs'],
};
