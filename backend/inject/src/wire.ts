// What goes over the wire; the names match the JSON tags of package outline and package inject.

export interface Option { n: string; s?: boolean; d?: boolean }
export interface Extra { k: string; t: string }

export interface Node {
  r?: string; n?: string; e?: number; v?: string; s?: string[]; x?: Extra[]; o?: Option[]; om?: number;
  u?: string; c?: number; h?: number; g?: number; l?: boolean; m?: string; k?: Node[];
}

export interface Gone { r: string; n: string; e?: number }
export interface Box { x: number; y: number; w: number; h: number }
export interface Point { x: number; y: number }
export interface FrameSlot { ref: number; src: string; box: Box }
