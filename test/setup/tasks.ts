import type { TaskKind, TaskOptions } from '#application/tasks/task.ts';
import { TaskRunner } from '#application/tasks/task-runner.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { every } from '#infra/system/time.ts';

/** The tasks of one kind in a process of these ports. */
export const runnerOf = (kind: TaskKind, ports: Ports, options: Partial<TaskOptions> = {}): TaskRunner =>
  new TaskRunner(kind, ports, { every, failed: () => undefined, publicUrl: '', ...options });
