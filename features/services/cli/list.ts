import type { Command } from 'commander';
import type { ServiceBody } from '#features/services/schemas/services.ts';
import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { addList, numberColumn, type TableList, textColumn } from '#infra/cli/commands/lists.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, count } from '#infra/cli/terminal/screen.ts';

const services: TableList<ReplyOf<typeof ServiceBody>> = {
  name: 'services',
  path: '/api/services',
  description: 'list business services with their health',
  filters: { search: 'words of the name or description', criticality: 'critical, high, medium or low' },
  columns: [
    textColumn('id'),
    textColumn('name', 32),
    textColumn('criticality'),
    textColumn('health'),
    numberColumn('score'),
    numberColumn('CIs'),
  ],
  row: ({ id, name, criticality, components, health: { status, score } }) => [
    id,
    clip(name, 80),
    criticality,
    status,
    String(score),
    count(components.length),
  ],
};

export const addServices = (program: Command, environment: CliEnvironment): void =>
  addList(program, environment, services);
