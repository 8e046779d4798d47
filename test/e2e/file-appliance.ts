import { afterAll, beforeAll } from 'vitest';
import { type Appliance, startAppliance } from './appliance.ts';

/** One for all tests of the file. */
export function applianceOfFile(): Omit<Appliance, 'stop'> {
  let appliance: Appliance | undefined;
  beforeAll(async () => {
    appliance = await startAppliance();
  });
  afterAll(() => appliance?.stop());
  const running = (): Appliance => {
    if (appliance === undefined) throw new Error('the appliance runs only while tests run');
    return appliance;
  };
  return {
    get service() {
      return running().service;
    },
    window: (role, options) => running().window(role, options),
  };
}
