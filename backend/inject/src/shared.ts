// What the first bundle of a world keeps for those loaded later: one numbering, and the closed shadow roots it was told of.
import type * as dom from "./dom";
import type * as refs from "./refs";

type Shared = Pick<typeof refs, "Numbering" | "element"> & Pick<typeof dom, "scopes" | "shadowOf">;

export const { Numbering, element, scopes, shadowOf } = (globalThis as unknown as { __batonShared: Shared }).__batonShared;
