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
  /** Values are the texts as typed, which the form reads when it is saved; null: they are the settings themselves. */
  typed: { isStored: boolean } | null;
  /** The message that the node gets; null: the settings name no places in one. */
  mapping: Mapping | null;
  /** A value of the kind's example, as a placeholder; undefined: it has none there. */
  sampleAt(path: string): unknown;
  /** All settings of the node, for fields that follow others. */
  settings: Values;
  /** Targets of the saved pipeline: stored secrets belong to their origins. */
  savedUrls: readonly string[];
  /** `inside`: the field shows its inner fields, which show their own errors. */
  faultAt(path: string, inside: boolean): string | null;
  /** A field was left, so its errors are shown from now on. */
  leave(path: string): void;
  /** The next change is a step of its own. */
  settle(): void;
  /** The path of the field that has the canvas, and where it is drawn there. */
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

/** A change that is a step of its own: a button was pressed, a choice was made. */
export function useAct<T>(onChange: (value: T) => void): (value: T) => void {
  const { settle } = useFormContext();
  return (value) => {
    settle();
    onChange(value);
    settle();
  };
}
