import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import { addInPlace, type CliFeature } from '#infra/cli/commands/feature.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { patchOf, type SettingsReply, settingsText } from './settings-texts.ts';

const PATH = '/api/admin/settings/correlation';

const addShow = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('show'))
    .description('show the correlation settings beside their defaults')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<SettingsReply>(PATH), settingsText);
    });

const addSet = (settings: Command, { screen }: CliEnvironment): Command =>
  connected(settings.command('set'))
    .description('change correlation settings; null gives back the default')
    .argument('<name=value...>', 'such as threshold=0.75 guards.maxSpanMs=7200000')
    .action(async (changes: readonly string[], options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).put<SettingsReply>(PATH, patchOf(changes)), settingsText);
    });

export const addSettings =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const settings = program
      .command('settings')
      .description('look at correlation settings, try others and change them');
    const added = features.flatMap(({ settingsCommands = [] }) => settingsCommands);
    addInPlace(settings, environment, [{ place: 10, add: addShow }, { place: 20, add: addSet }, ...added]);
    return settings;
  };
