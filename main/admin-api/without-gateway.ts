import { SluiceError } from '#common/errors/catalogue.ts';

/** A stopped pipeline needs no stop: a gateway that is down gets the new state when it starts. */
export async function withoutGateway(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'gateway_down') throw error;
  }
}
