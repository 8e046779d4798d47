import type { Example, NodeInstance, NodeServices, SettingWarning, z } from '#sdk';

/** One of the two implementations of the kind, chosen by its setting `mode`. */
export interface Mode<Schema extends z.ZodType> {
  readonly settings: Schema;
  /** Whether a node in this mode has an input. */
  readonly input: boolean;
  ports(settings: z.output<Schema>): readonly string[];
  warnings(settings: z.output<Schema>): readonly SettingWarning[];
  readonly examples: readonly Example<z.input<Schema>>[];
  create(settings: z.output<Schema>, services: NodeServices): NodeInstance | Promise<NodeInstance>;
}

/** An implementation with the settings of a node. */
export interface ModeOfNode {
  readonly input: boolean;
  ports(): readonly string[];
  warnings(): readonly SettingWarning[];
  create(services: NodeServices): NodeInstance | Promise<NodeInstance>;
}

export function modeOfNode<Schema extends z.ZodType>(mode: Mode<Schema>, settings: z.output<Schema>): ModeOfNode {
  return {
    input: mode.input,
    ports: () => mode.ports(settings),
    warnings: () => mode.warnings(settings),
    create: (services) => mode.create(settings, services),
  };
}
