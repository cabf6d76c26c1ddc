/** CI types by their names in other systems. */

/** `Serial number`, `serial_number` and `Serial Number` are one word. */
export const wordOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Inverts lists of words by their meaning. */
export const words = (list: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(list).flatMap(([to, from]) => from.split(' ').map((one) => [one, to] as const)));

/** Types by classes of ServiceNow and roles of NetBox, where they are called otherwise here. */
const TYPES = words({
  server: 'linux_server win_server windows_server unix_server solaris_server aix_server hpux_server hardware',
  virtual_machine: 'vm_instance vmware_instance virtual_machine_instance vm virtual_machine vm_object',
  hypervisor: 'esx_server vcenter_server hyper_v_server vmware_esx_server kvm_host esx_host',
  switch: 'ip_switch access_switch core_switch distribution_switch leaf spine tor_switch network_switch',
  router: 'ip_router core_router edge_router',
  firewall: 'ip_firewall',
  load_balancer: 'lb lb_appl lb_bigip lb_service load_balancer_service',
  network_device: 'netgear network_gear ip_device ip_network_device',
  database: 'db_instance db_mssql_instance db_mysql_instance db_ora_instance db_postgresql_instance database_instance',
  application: 'appl app_server app application_server',
  business_service: 'service_discovered service_auto business_service service_business',
  storage: 'storage_device storage_server san nas storage_controller',
  workstation: 'computer pc_hardware',
  access_point: 'wap_network wireless_access_point ap wifi_access_point',
  pdu: 'rack_pdu',
});

/** Returns the CI type of a class or role. */
export function foreignType(name: string): string {
  const word = wordOf(name).replace(/^cmdb_ci_/, '');
  return TYPES.get(word) ?? word;
}
