import { CliError } from '#infra/cli/client/client.ts';

/** Requests about one report; an unknown id is reported as such, with a hint where to look. */
export async function aboutReport<T>(id: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof CliError) || error.status !== 404) throw error;
    throw new CliError(
      `no report has the id ${id}, it is older than 7 days, or a colleague has not shared it — see: faultline report list`,
      error.status,
    );
  }
}
