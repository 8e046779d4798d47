import { Component, type ComponentType, type ReactNode } from 'react';
import { FallenNote } from './part-notes.tsx';

/** Renders the replacement of a missing part. */
export interface FrameProps<Props> {
  /** The properties of the part. */
  of: Props;
  /** Why it is missing; null: it is being loaded, which takes a moment. */
  note: ReactNode;
}

interface BoundaryProps<Props> {
  Frame: ComponentType<FrameProps<Props>>;
  of: Props;
  isPage: boolean;
  /** The current location: an error is cleared when the user opens another page. */
  at: string;
  /** Called before the children are rendered again. */
  onAgain: () => void;
  children: ReactNode;
}

interface State {
  fallen: { error: unknown } | null;
}

/** Catches errors of its children, which would otherwise blank the window. React writes the error to the console. */
export class PartBoundary<Props> extends Component<BoundaryProps<Props>, State> {
  override state: State = { fallen: null };

  static getDerivedStateFromError(error: unknown): State {
    return { fallen: { error } };
  }

  override componentDidUpdate(before: BoundaryProps<Props>): void {
    if (before.at !== this.props.at && this.state.fallen !== null) this.#again();
  }

  readonly #again = (): void => {
    this.props.onAgain();
    this.setState({ fallen: null });
  };

  override render(): ReactNode {
    const { Frame, of, isPage, children } = this.props;
    const { fallen } = this.state;
    if (fallen === null) return children;
    return <Frame of={of} note={<FallenNote error={fallen.error} again={this.#again} isPage={isPage} />} />;
  }
}
