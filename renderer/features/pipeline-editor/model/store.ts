import { type Pin, PINS_MAX } from '#common/model/test-part.ts';
import { wireId, type Draft } from './draft.ts';
import { EMPTY_HISTORY, redo, remember, settle, undo, type History, type Intent } from './history.ts';

/**
 * The state of one editor: the draft, its undo steps, the selection. Components read it with `useEditor(selector)` and
 * change it with the methods here; nothing else keeps a draft. Saving and checking follow it (`use-autosave.ts`,
 * `use-check.ts`).
 */
export interface EditorState {
  readonly draft: Draft;
  readonly history: History;
  readonly nodes: ReadonlySet<string>;
  /** A node that was just added and is still selected: errors of its settings are not shown yet. */
  readonly fresh: string | null;
  /** The selected wire, by `wireId`. */
  readonly wire: string | null;
  /** _Show running_: the canvas shows the running revision, and nothing can be edited. */
  readonly showsRunning: boolean;
  /** The field of a problem; the form focuses it once. */
  readonly wantedField: { node: string; field: string } | null;
  /** Incremented when the canvas should centre the selected nodes. */
  readonly centred: number;
  readonly dock: DockTab;
  readonly dockOpen: boolean;
  /** On a narrow screen: the part that is in sight. */
  readonly pane: Pane;
  /** Nothing is chosen, and the settings of the pipeline itself were asked for. */
  readonly pipelineShown: boolean;
  /** Palette, settings and dock are hidden. */
  readonly canvasOnly: boolean;
  /** The run that the canvas shows. */
  readonly run: string | null;
  /** The part of the pipeline that tests run. */
  readonly tested: TestedPart;
  /** Nodes that give this value in tests instead of running. */
  readonly pins: Readonly<Record<string, Pin>>;
}

export type TestedPart = { kind: 'whole' } | { kind: 'upTo' | 'only'; node: string };

export type Pane = 'canvas' | 'settings' | 'dock';
export type DockTab = 'problems' | 'test' | 'runs' | 'changes';

export class EditorStore {
  #state: EditorState;
  readonly #listeners = new Set<() => void>();

  constructor(draft: Draft) {
    this.#state = {
      draft,
      history: EMPTY_HISTORY,
      nodes: new Set(),
      fresh: null,
      wire: null,
      showsRunning: false,
      wantedField: null,
      centred: 0,
      dock: 'problems',
      dockOpen: false,
      pane: 'canvas',
      pipelineShown: false,
      canvasOnly: false,
      run: null,
      tested: { kind: 'whole' },
      pins: {},
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): EditorState => this.#state;

  /**
   * One step of the draft. `merge` joins it with the previous step that has the same key, until `settle()`. An edit
   * without an effect is not a step. Returns whether something changed.
   */
  edit(intent: Omit<Intent, 'at'>, change: (draft: Draft) => Draft, merge: string | null = null): boolean {
    const { draft: before, history, showsRunning } = this.#state;
    if (showsRunning) return false;
    const after = change(before);
    if (after === before) return false;
    const step = { intent: { ...intent, at: new Date() }, before, after, merge };
    this.#set({ draft: after, history: remember(history, step) });
    this.#dropLostChoice();
    return true;
  }

  /** A field lost the focus, or a drag ended: the next edit is a separate step. */
  settle(): void {
    this.#set({ history: settle(this.#state.history) });
  }

  undo(): void {
    const undone = undo(this.#state.history);
    if (undone === null || this.#state.showsRunning) return;
    this.#set({ draft: undone.step.before, history: undone.history });
    this.#dropLostChoice();
  }

  redo(): void {
    const redone = redo(this.#state.history);
    if (redone === null || this.#state.showsRunning) return;
    this.#set({ draft: redone.step.after, history: redone.history });
    this.#dropLostChoice();
  }

  /** Replaces the sent draft with the saved one as the server returns it (secrets as `{ "set": true }`). Not a step. */
  adopt(sent: Draft, saved: Draft): void {
    if (this.#state.draft === sent) this.#set({ draft: saved });
  }

  /** Replaces the draft with another user's revision and clears the undo history. Nodes that still exist stay selected. */
  replace(draft: Draft): void {
    this.#set({ draft, history: EMPTY_HISTORY });
    this.#dropLostChoice();
  }

  select(nodes: Iterable<string>): void {
    this.#set({ nodes: new Set(nodes), fresh: null, wire: null, pipelineShown: false });
  }

  /** The node was just added. */
  selectAdded(node: string): void {
    this.select([node]);
    this.#set({ fresh: node });
  }

  selectWire(wire: string | null): void {
    this.#set({ nodes: new Set(), fresh: null, wire, pipelineShown: false });
  }

  /** The settings of the pipeline itself. */
  showPipeline(): void {
    this.#set({ nodes: new Set(), fresh: null, wire: null, pipelineShown: true, canvasOnly: false, pane: 'settings' });
  }

  showCanvasOnly(on: boolean): void {
    this.#set({ canvasOnly: on });
  }

  /** Selects the node, centres it, and focuses its field if one is given. */
  goTo(node: string, field: string | null = null): void {
    this.#set({
      nodes: new Set([node]),
      fresh: null,
      wire: null,
      centred: this.#state.centred + 1,
      wantedField: field === null ? null : { node, field },
      pipelineShown: false,
      canvasOnly: field === null && this.#state.canvasOnly,
      pane: field === null ? 'canvas' : 'settings',
    });
  }

  fieldReached(): void {
    if (this.#state.wantedField !== null) this.#set({ wantedField: null });
  }

  showRunning(on: boolean): void {
    this.#set({ showsRunning: on });
  }

  openDock(dock: DockTab): void {
    this.#set({ dock, dockOpen: true, canvasOnly: false, pane: 'dock' });
  }

  closeDock(): void {
    this.#set({ dockOpen: false });
  }

  /** As it was left the last time. */
  restoreDock(dock: DockTab, dockOpen: boolean): void {
    this.#set({ dock, dockOpen });
  }

  showPane(pane: Pane): void {
    this.#set({ pane });
  }

  showRun(run: string | null): void {
    this.#set({ run });
  }

  test(tested: TestedPart): void {
    this.#set({ tested });
  }

  pin(node: string, pin: Pin | null): void {
    const { [node]: _before, ...others } = this.#state.pins;
    if (pin === null) this.#set({ pins: others });
    else if (Object.keys(others).length < PINS_MAX) this.#set({ pins: { ...others, [node]: pin } });
  }

  #dropLostChoice(): void {
    const { draft, nodes, wire } = this.#state;
    if (wire !== null && !draft.wires.some((one) => wireId(one) === wire)) this.#set({ wire: null });
    const there = new Set(draft.nodes.map((node) => node.id));
    if ([...nodes].every((id) => there.has(id))) return;
    this.#set({ nodes: new Set([...nodes].filter((id) => there.has(id))), fresh: null });
  }

  #set(change: Partial<EditorState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
