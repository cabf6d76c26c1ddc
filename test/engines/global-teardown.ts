import { running } from './global-setup.ts';

export default async (): Promise<void> => {
  await running.source?.stop();
};
