import { createContext, useContext, type ComponentType } from 'react';
import type { Mapping } from './mapping.ts';
import type { Values } from './values.ts';
import type { FieldsProps } from './setting-props.ts';

/** The shared state of all fields of a form. Those of a node have a project, a pipeline and a canvas. */
export interface FormContext {
  project: string;
  pipeline: string;
  node: string;
  readOnly: boolean;
  /** Values are the texts as typed, which the form parses when it is saved; null: they are the settings themselves. */
  typed: { isStored: boolean } | null;
  /** The message that the node receives; null: the settings contain no paths. */
  mapping: Mapping | null;
  /** A value of the kind's example, as a placeholder; undefined: none. */
  sampleAt(path: string): unknown;
  /** All settings of the node, for fields that depend on others. */
  settings: Values;
  /** Targets of the saved pipeline: stored secrets belong to their origins. */
  savedUrls: readonly string[];
  /** `inside`: the field shows its inner fields, which show their own errors. */
  faultAt(path: string, inside: boolean): string | null;
  /** A field lost the focus, so its errors are shown from now on. */
  leave(path: string): void;
  /** The next change is a separate step. */
  settle(): void;
  /** The path of the field that is enlarged on the canvas, and its container there. */
  enlarged: string | null;
  enlarge(path: string | null): void;
  stage: HTMLElement | null;
  /** Renders settings inside settings. */
  Fields: ComponentType<FieldsProps>;
}

const Context = createContext<FormContext | null>(null);
export const FormProvider = Context.Provider;

export function useFormContext(): FormContext {
  const context = useContext(Context);
  if (context === null) throw new Error('useFormContext must be used inside a form');
  return context;
}

/** A change that is a separate step: a button was pressed, an option was selected. */
export function useAct<T>(onChange: (value: T) => void): (value: T) => void {
  const { settle } = useFormContext();
  return (value) => {
    settle();
    onChange(value);
    settle();
  };
}
