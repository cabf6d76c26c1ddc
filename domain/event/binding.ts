/** Methods that bound an event to its CI; each implies a confidence. */
export const BINDING_METHODS = ['id', 'external_key', 'fqdn', 'hostname', 'name', 'ip', 'short_name'] as const;
export type BindingMethod = (typeof BINDING_METHODS)[number];

/**
 * Probability that the CI is the right one, 0 to 1: ids are unique, names can repeat, addresses change. Rough, by
 * judgment.
 */
const CONFIDENCE: Readonly<Record<BindingMethod, number>> = {
  id: 1,
  external_key: 1,
  fqdn: 0.95,
  hostname: 0.9,
  name: 0.9,
  ip: 0.8,
  short_name: 0.7,
};

export const bindingConfidence = (method: BindingMethod): number => CONFIDENCE[method];
