export const ATTRIBUTES = {
  title: 'Attributes',
  nameOf: (value: number) => `Attribute ${value} name`,
  called: (value: number) => `attribute ${value}`,
  example: 'ip_address',
};
export const CUSTOM_FIELDS: typeof ATTRIBUTES = {
  title: 'Custom fields',
  nameOf: (value: number) => `Custom field ${value} name`,
  called: (value: number) => `custom field ${value}`,
  example: 'cost_center',
};
export const addAttribute = 'Add attribute';
export const addCustomField = 'Add custom field';
export const value = (key: string) => `${key} value`;
export const remove = (key: string) => `Remove ${key}`;
export const name = 'Name';
export const type = 'Type';
export const status = 'Status';
export const description = 'Description';
export const externalKey = 'External key';
export const idCiAnotherSystem = 'ID of this CI in another system. Imports match on it.';
export const searchNameIpAddress = 'Search by name, IP address or external key';
export const searching = 'Searching…';
export const noMatchingCis = 'No matching CIs';
export const field = 'Field';
export const before = 'Before';
export const after = 'After';
export const empty = '(empty)';
export const created = (name: string) => `Created ${name}`;
export const couldntCreateTheCi = "Couldn't create the CI";
export const createCi = 'Create CI';
export const cancel = 'Cancel';
export const create = 'Create';
