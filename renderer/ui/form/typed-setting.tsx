import { Setting } from './control.tsx';
import { Fields } from './fields.tsx';
import { FormProvider, type FormContext } from './form-context.tsx';
import type { Field } from './schema-types.ts';

interface Props {
  field: Field;
  /** As typed. For a secret, undefined keeps the stored value and null removes it. */
  value: string | null | undefined;
  /** For a secret: the server has one. */
  isStored?: boolean;
  fault: string | null;
  readOnly?: boolean;
  onChange: (value: string | null | undefined) => void;
}

/** A field of a form that is saved as a whole (typed-values.ts). */
export function TypedSetting({ field, value, isStored = false, fault, readOnly = false, onChange }: Props) {
  const isSecret = field.control.kind === 'secret';
  const context: FormContext = { ...ALONE, readOnly, typed: { isStored }, faultAt: () => fault };
  const change = (next: unknown) => onChange(typeof next === 'string' || (isSecret && next === null) ? next : emptied);
  const emptied = isSecret ? undefined : '';
  return (
    <FormProvider value={context}>
      {/* The default is in the help: an empty field is not the default. */}
      <Setting
        field={{ ...field, preset: undefined }}
        control={field.control}
        path={field.name}
        value={value}
        onChange={change}
      />
    </FormProvider>
  );
}

const nothing = () => undefined;
const ALONE: Omit<FormContext, 'readOnly' | 'typed' | 'faultAt'> = {
  project: '',
  pipeline: '',
  node: '',
  mapping: null,
  sampleAt: nothing,
  settings: {},
  savedUrls: [],
  leave: nothing,
  settle: nothing,
  enlarged: null,
  enlarge: nothing,
  stage: null,
  Fields,
};
