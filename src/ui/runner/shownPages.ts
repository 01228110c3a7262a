import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { isQuestionView, isRunnerView, type PageView } from '../../model/webview.ts';

/** A page of this window. */
export interface ShownPage {
  readonly isVisible: () => boolean;
  readonly view: () => PageView;
}

/** The pages of this window, for who wants to know what a person has before them. */
export class ShownPages {
  readonly #pages = new Set<ShownPage>();

  add(page: ShownPage): Disposable {
    this.#pages.add(page);
    return toDisposable(() => this.#pages.delete(page));
  }

  /** Whether the page of a plan or of a question is visible; the page of a plan shows its questions, too. */
  show({ plan, id }: { readonly plan?: string | undefined; readonly id?: string | undefined }): boolean {
    return [...this.#pages].some((page) => {
      if (!page.isVisible()) return false;
      const view = page.view();
      return isRunnerView(view) ? view.plan === plan : isQuestionView(view) && view.approval === id;
    });
  }
}
