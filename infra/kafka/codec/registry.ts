import { SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import type avro from 'avsc';
import { errorMessage, Fault } from '#domain/fault.ts';
import { pause } from '#infra/wait.ts';

/** Registry of schemas, with Confluent's API. */
export interface RegisteredSchemas {
  /** Id of the schema under this subject. Throws with the registry's reason when it is not BACKWARD compatible. */
  register(subject: string, text: string): Promise<number>;
  /** Throws Fault `unavailable` when the registry is down, `invalid` when it has no schema of that id. */
  find(schemaId: number): Promise<avro.Type>;
}

const COMPATIBILITY = 'BACKWARD';
/** Another process may be between registering the first version and setting its compatibility. */
const TRIES = 10;
const PAUSE_MS = 200;

const statusOf = (error: unknown): number => (error as { status?: number }).status ?? 0;
const isMismatch = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConfluentSchemaRegistryCompatibilityError';

/** Advice about a refusal, for the operator. */
const refusal = (url: string, subject: string, error: unknown): Error => {
  const reason = errorMessage(error);
  if (isMismatch(error))
    return new Error(
      `Subject ${subject} must be ${COMPATIBILITY}: PUT ${url}/config/${subject} {"compatibility":"${COMPATIBILITY}"} (${reason})`,
    );
  const status = statusOf(error);
  if (status === 409)
    return new Error(
      `The schema of ${subject} isn't ${COMPATIBILITY} compatible with the registered one. Give new fields a default. Registry error: ${reason}`,
    );
  if (status === 422) return new Error(`The registry rejected the schema of ${subject}: ${reason}`);
  return down(url, error);
};

const down = (url: string, cause: unknown): Fault =>
  new Fault('unavailable', `Can't reach the schema registry at ${url}: ${errorMessage(cause)}`, [], {
    retryAfter: 5,
    cause,
  });

export interface RegistryOptions {
  /** URL with path: `http://host:8081`, or `…/apis/ccompat/v7`. */
  readonly url: string;
  readonly auth?: { readonly username: string; readonly password: string };
}

export const openRegistry = ({ url, auth }: RegistryOptions): RegisteredSchemas => {
  const retry = { initialRetryTimeInSecs: 0.1, maxRetryTimeInSecs: 1, retries: 3 };
  const client = new SchemaRegistry({ host: url, clientId: 'faultline', retry, ...(auth && { auth: { ...auth } }) });
  const register = async (subject: string, schema: string, left: number): Promise<number> => {
    try {
      return (await client.register({ type: SchemaType.AVRO, schema }, { subject })).id;
    } catch (error) {
      if (!isMismatch(error) || left === 0) throw refusal(url, subject, error);
      await pause(PAUSE_MS);
      return register(subject, schema, left - 1);
    }
  };
  return {
    register: (subject, text) => register(subject, text, TRIES),
    async find(schemaId) {
      try {
        return (await client.getSchema(schemaId)) as avro.Type;
      } catch (cause) {
        if (statusOf(cause) === 404) throw new Fault('invalid', `Schema ${schemaId} not found`, [], { cause });
        throw down(url, cause);
      }
    },
  };
};
