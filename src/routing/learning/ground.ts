import { createCatalogue, type Catalogue as PreparedPlaces } from '../facts/catalogue.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import type { RoutingHistory } from '../history/routingHistory.ts';
import type { KnownPlaces, Places } from '../places.ts';
import type { RoutingGround } from './suggestions.ts';

export interface GroundParts {
  readonly history: RoutingHistory;
  /** Fed by the history. */
  readonly index: HistoryIndex;
  readonly places: Places;
}

/** What rules and suggestions are held against, as it is at each moment; places are prepared once until they change. */
export function createGround({ history, index, places }: GroundParts): () => Promise<RoutingGround> {
  let prepared:
    | { readonly of: KnownPlaces; readonly catalogue: PreparedPlaces; readonly targets: Set<string> }
    | undefined;
  return async () => {
    const [of] = await Promise.all([places.catalogue(), history.load()]);
    if (prepared?.of !== of) {
      const targets = new Set([...of.byId.keys(), ...of.projects.keys()]);
      prepared = { of, catalogue: createCatalogue(of.places), targets };
    }
    return { index, places: of.places, catalogue: prepared.catalogue, targets: prepared.targets };
  };
}
