import { CliError } from '#cli/client/client.ts';

/** The message about an id that no group has. */
export const noGroup = (id: string): CliError => new CliError(`no group ${id} — list them with: faultline groups`, 404);

/** Reads one group; an unknown one is reported as such. */
export const ofGroup = async <T>(id: string, asked: Promise<T>): Promise<T> => {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof CliError && error.status === 404 ? noGroup(id) : error;
  }
};

export const groupPath = (id: string): string => `/api/events/groups/${encodeURIComponent(id)}`;
