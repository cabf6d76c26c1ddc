import { changeView, deleteView, makeView, type View, type ViewWish } from '#console/api/views.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import type { Columns, Views } from './use-views.ts';
import { queryOf } from './views.ts';

const draftOf = ({ name, page, query, columns, shared }: View): ViewWish => ({ name, page, query, columns, shared });

/** Actions on views. */
export const useViewChanges = (views: Views, columns: Columns, address: Address) => {
  const { call } = useParts();
  const shown = () => ({ page: views.page, query: queryOf(address.query), columns: [...columns.shown] });
  const attempt = async (failed: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      sayFailure(failed, error);
    }
    await views.readAnew();
  };
  return {
    /** Throws what the server says: the dialog stays open then. */
    async keep(view: View | 'new', name: string, shared: boolean): Promise<void> {
      const kept =
        view === 'new'
          ? await makeView(call, { ...shown(), name, shared })
          : await changeView(call, view.id, { ...draftOf(view), name, shared });
      await views.readAnew();
      say({ text: `The view “${name}” is kept` });
      if (view === 'new') views.choose(kept);
    },
    saveChanges: (view: View) =>
      attempt('The view could not be saved', async () => {
        await changeView(call, view.id, { ...draftOf(view), ...shown() });
        say({ text: `“${view.name}” shows this from now on`, undo: () => changeBack(view) });
      }),
    remove: (view: View) =>
      attempt('The view could not be deleted', async () => {
        await deleteView(call, view.id);
        if (views.current?.id === view.id) views.choose(null);
        say({ text: `The view “${view.name}” is deleted`, undo: () => makeAgain(view) });
      }),
  };
  function changeBack(view: View): Promise<void> {
    return attempt("Couldn't undo", () => changeView(call, view.id, draftOf(view)));
  }
  function makeAgain(view: View): Promise<void> {
    return attempt("Couldn't undo", () => makeView(call, draftOf(view)));
  }
};
