/** Lists of the REST API of NetBox 4 (dcim, virtualization and ipam), read in this order. */

/** Path below `/api/`, filter and fields; NetBox before 4.0 returns all fields. */
export const NETBOX_LISTS = {
  sites: ['dcim/sites/', '', 'id,name,status'],
  racks: ['dcim/racks/', '', 'id,name,site,status'],
  panels: ['dcim/power-panels/', '', 'id,name,site'],
  feeds: ['dcim/power-feeds/', '', 'id,name,power_panel,status'],
  devices: [
    'dcim/devices/',
    '',
    'id,name,display,role,device_type,platform,serial,site,rack,position,parent_device,status,primary_ip4,primary_ip6,cluster',
  ],
  clusters: ['virtualization/clusters/', '', 'id,name,type,status,scope_type,scope_id'],
  machines: [
    'virtualization/virtual-machines/',
    '',
    'id,name,platform,site,cluster,device,status,primary_ip4,primary_ip6',
  ],
  ports: ['dcim/power-ports/', 'connected=true', 'id,device,connected_endpoints,connected_endpoints_type'],
  outlets: ['dcim/power-outlets/', 'connected=true', 'id,device,power_port'],
  interfaces: [
    'dcim/interfaces/',
    'connected=true',
    'id,device,mgmt_only,connected_endpoints,connected_endpoints_type,connected_endpoints_reachable',
  ],
  addresses: [
    'ipam/ip-addresses/',
    'assigned_to_interface=true',
    'id,address,role,dns_name,assigned_object_type,assigned_object',
  ],
} as const;
export type NetboxList = keyof typeof NETBOX_LISTS;
export const NETBOX_LIST_NAMES = Object.keys(NETBOX_LISTS) as NetboxList[];

export type NetboxRow = Readonly<Record<string, unknown>>;
