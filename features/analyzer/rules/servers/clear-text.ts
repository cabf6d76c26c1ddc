/** Ports of protocols that are not encrypted, as they are usually set up. */
export const CLEAR_TEXT: ReadonlyMap<number, string> = new Map([
  [21, 'FTP'],
  [23, 'Telnet'],
  [80, 'HTTP'],
  [110, 'POP3'],
  [143, 'IMAP'],
  [161, 'SNMP'],
  [389, 'LDAP'],
  [512, 'rexec'],
  [513, 'rlogin'],
  [514, 'syslog or rsh'],
  [1883, 'MQTT'],
  [5672, 'AMQP'],
  [8009, 'AJP'],
  [8080, 'HTTP'],
  [11211, 'Memcached'],
]);
