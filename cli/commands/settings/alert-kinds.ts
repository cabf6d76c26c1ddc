import { type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { tableOf } from '#cli/terminal/screen.ts';
import { ALERT_OBJECTS, type AlertKind, COMPLAINTS } from '#domain/event/identity/alert-kinds.ts';
import type { InboundSettingsView } from '#schemas/http/admin/settings.ts';

type InboundReply = DataReply<typeof InboundSettingsView>;

const PATH = '/api/admin/settings/inbound';

const kindsText = ({ data: { alerts } }: InboundReply): string =>
  alerts.length === 0
    ? 'No alert kinds yet.'
    : tableOf(
        ['alert', 'problem', 'object'].map((title) => ({ title })),
        alerts.map(({ alert, problem, object }) => [alert, problem, object ?? '–']),
      );

/** Puts the kind of an alert first, or removes it. */
async function changed(options: ConnectionOptions, alert: string, kind: AlertKind | null): Promise<InboundReply> {
  const client = clientOf(options);
  const { data } = await client.get<InboundReply>(PATH);
  const others = data.alerts.filter((one) => one.alert !== alert);
  return client.put<InboundReply>(PATH, { alerts: kind === null ? others : [kind, ...others] });
}

export const addAlertKinds = (settings: Command, { screen }: CliEnvironment): Command => {
  const alerts = connected(settings.command('alerts'))
    .description('list alert kinds')
    .action(async (options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<InboundReply>(PATH), kindsText),
    );
  connected(settings.command('set-alert').argument('<alert>', 'alert name; * matches any characters'))
    .description('set the kind of an alert; the latest comes first')
    .addOption(new Option('--problem <kind>', 'kind of problem').choices(COMPLAINTS).makeOptionMandatory())
    .addOption(new Option('--object <kind>', 'kind of the Kubernetes object').choices(ALERT_OBJECTS))
    .action(async (alert: string, options: ConnectionOptions & Omit<AlertKind, 'alert'>) => {
      const { problem, object } = options;
      const kind = { alert, problem, ...(object !== undefined && { object }) };
      show(screen, options, await changed(options, alert, kind), kindsText);
    });
  connected(settings.command('remove-alert').argument('<alert>'))
    .description('remove the kind of an alert')
    .action(async (alert: string, options: ConnectionOptions) =>
      show(screen, options, await changed(options, alert, null), kindsText),
    );
  return alerts;
};
