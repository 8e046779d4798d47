/** Kinds of connections, in the order of the form. */
export const DATABASE_KINDS = ['postgresql', 'mysql', 'sqlserver'] as const;
export const CONNECTION_KINDS = [...DATABASE_KINDS, 'opcua', 'modbus', 'mqtt'] as const;

export type DatabaseKind = (typeof DATABASE_KINDS)[number];
