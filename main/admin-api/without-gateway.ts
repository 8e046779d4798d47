import { SluiceError } from '#common/errors/catalogue.ts';

/** What does not run needs no stopping: a gateway that is down gets the new state when it comes up. */
export async function withoutGateway(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'gateway_down') throw error;
  }
}
