import type { GatewayCalls } from '#common/control/messages.ts';
import type { Settings } from '#common/model/settings.ts';
import type { EgressService } from '#sdk';

/** The calling node. `test`: a test of a draft; its stored events are sent too, with their own headers. */
export interface NodePlace {
  readonly project: string;
  readonly pipeline: string;
  readonly node: string;
  readonly test: boolean;
}

export type EgressCallName = Extract<keyof GatewayCalls, `egress-${string}`>;

/** Operations of users on store and forward. Each throws SluiceError. */
export type EgressControl = {
  readonly [C in EgressCallName]: (args: GatewayCalls[C]['args']) => Promise<GatewayCalls[C]['value']>;
};

/** The gateway's way out to HTTP targets (docs/spec/egress.md#store-and-forward). */
export interface Egress {
  forNode(place: NodePlace): EgressService;
  readonly control: EgressControl;
  /** Resolves when all components use the settings, within the 2 s of an acknowledgement. */
  settings(settings: Settings): Promise<void>;
  close(): Promise<void>;
}
