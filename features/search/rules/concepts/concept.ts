/**
 * Rules by the name of their meaning, in small letters and hyphens. A rule has places between spaces, each with its words
 * between bars, in any order and form:
 * `disk|volume full` matches "the volume is 98 % full".
 */
export type Concepts = Readonly<Record<string, readonly string[]>>;

/** Words of many rules. */
export const DISK = 'disk|disks|volume|filesystem|fs|partition|drive|drives|storage|datastore|lun|mount|hdd|ssd';
export const FAILED =
  'fail|failed|failing|fails|failure|failures|error|errors|broken|dead|faulty|aborted|unsuccessful|bad|defective';
export const HIGH =
  'high|usage|utilization|utilisation|used|load|saturated|saturation|busy|spike|spikes|maxed|pegged|exceeded|excessive|above|critical';
export const GONE =
  'down|unreachable|offline|dead|gone|unavailable|lost|missing|unresponsive|respond|responding|responsive|reachable|alive|answer|answering';
