import { SluiceError } from '#common/errors/catalogue.ts';
import type { Services } from './call.ts';

/** For what people upload: the reserve is kept from it as from what pipelines store. Throws `disk_reserve`. */
export function expectDiskRoom({ diskLevel }: Pick<Services, 'diskLevel'>): void {
  const level = diskLevel();
  if (level === 'ok' || level === 'low') return;
  throw new SluiceError(
    'disk_reserve',
    'The disk of the data folder has less than its reserve free. Free disk space first.',
  );
}
