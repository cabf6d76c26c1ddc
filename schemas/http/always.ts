import { z } from 'zod';

const isObject = ({ value }: z.core.ParsePayload): boolean => typeof value === 'object' && value !== null;

/**
 * A check of a whole object that runs also when some of its fields are wrong, so that all problems of a request are
 * returned at once. A refused field of its object may have any value.
 */
export const always = <T>(check: z.core.CheckFn<T>): z.core.$ZodCheck<T> => {
  const made = z.check(check);
  made._zod.def.when = isObject;
  return made;
};
