import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import { addInPlace, type CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { addAlertKinds } from './alert-kinds.ts';
import { patchOf, type SettingsReply, settingsText } from './settings-texts.ts';

const PATH = '/api/admin/settings/correlation';

const addShow = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('show'))
    .description('show correlation settings and defaults')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<SettingsReply>(PATH), settingsText);
    });

const addSet = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('set'))
    .description('change correlation settings; null resets to default')
    .argument('<name=value...>', 'settings, for example threshold=0.75 guards.maxSpanMs=7200000')
    .action(async (changes: readonly string[], options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).put<SettingsReply>(PATH, patchOf(changes)), settingsText);
    });

export const addSettings =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const settings = program.command('settings').description('view, simulate and change correlation settings');
    const added = features.flatMap(({ settingsCommands = [] }) => settingsCommands);
    const own = [
      { place: 10, add: addShow },
      { place: 20, add: addSet },
      { place: 30, add: addAlertKinds },
    ];
    addInPlace(settings, environment, [...own, ...added]);
    return settings;
  };
