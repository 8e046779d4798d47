import { z } from 'zod';
import { type SettingName, settingsSchema } from '#common/model/settings.ts';
import { readForm } from '#ui/form/schema.ts';
import type { Field } from '#ui/form/schema-types.ts';

export interface SettingField extends Field {
  name: SettingName;
}

/** The fields of the form, in its order, as the schema declares them. */
export const FIELDS = readForm(z.toJSONSchema(settingsSchema, { io: 'input' })).variants.flatMap(
  ({ fields }) => fields,
) as SettingField[];
