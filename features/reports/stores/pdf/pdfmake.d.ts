/* The used part of pdfmake 0.3. Its published types include browser types, which must not be available here. */
declare module 'pdfmake' {
  export interface Run {
    readonly text: string;
    readonly font: string;
  }
  export type Text = string | readonly Run[];
  export type Sides = readonly [left: number, top: number, right: number, bottom: number];
  export interface Style {
    readonly fontSize?: number;
    readonly bold?: boolean;
    readonly italics?: boolean;
    readonly color?: string;
    readonly font?: string;
    readonly lineHeight?: number;
    readonly alignment?: 'left' | 'right';
    readonly margin?: Sides;
  }
  interface Common extends Style {
    readonly style?: string;
  }
  export interface TextNode extends Common {
    readonly text: Text;
    readonly width?: number;
    readonly colSpan?: number;
  }
  interface Stack extends Common {
    readonly stack: readonly Content[];
    /** Prevents a page break inside. */
    readonly unbreakable?: boolean;
  }
  interface List extends Common {
    readonly ul: readonly Content[];
  }
  interface Columns extends Common {
    readonly columns: readonly Content[];
  }
  interface Picture extends Common {
    readonly svg: string;
    readonly width: number;
  }
  interface Line {
    readonly type: 'line';
    readonly x1: number;
    readonly y1: number;
    readonly x2: number;
    readonly y2: number;
    readonly lineWidth: number;
    readonly lineColor: string;
  }
  interface Canvas extends Common {
    readonly canvas: readonly Line[];
  }
  interface TableNode extends Common {
    readonly table: {
      readonly widths: readonly number[];
      readonly body: readonly (readonly Content[])[];
      readonly headerRows?: number;
      readonly keepWithHeaderRows?: number;
      readonly dontBreakRows?: boolean;
    };
    readonly layout: Layout | 'noBorders';
  }
  export type Content = string | TextNode | Stack | List | Columns | Picture | Canvas | TableNode;
  /** Layout of a table; lines are numbered from the top of the first row. */
  export interface Layout {
    hLineWidth(line: number, node: { readonly table: { readonly body: readonly unknown[] } }): number;
    vLineWidth(): number;
    hLineColor(line: number): string;
    paddingLeft(): number;
    paddingRight(): number;
    paddingTop(): number;
    paddingBottom(): number;
  }
  export interface Definition {
    readonly content: readonly Content[];
    readonly styles: Readonly<Record<string, Style>>;
    readonly defaultStyle: Style;
    readonly pageSize: 'A4';
    readonly pageMargins: Sides;
    readonly language: string;
    readonly displayTitle: boolean;
    readonly info: Readonly<Record<string, string | Date>>;
    footer(page: number, pages: number): Content;
  }
  type Fonts = Readonly<Record<string, Readonly<Record<string, string>>>>;
  interface Pdfmake {
    setFonts(fonts: Fonts): void;
    setUrlAccessPolicy(allows: (url: string) => boolean): void;
    setLocalAccessPolicy(allows: (path: string) => boolean): void;
    createPdf(definition: Definition): { getBuffer(): Promise<Uint8Array> };
  }
  const pdfmake: Pdfmake;
  // biome-ignore lint/style/noDefaultExport: exports of a CommonJS module arrive as the default.
  export default pdfmake;
}
