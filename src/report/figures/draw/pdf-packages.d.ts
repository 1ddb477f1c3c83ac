/** The parts of two packages without types that `pdf.ts` uses. */

declare module 'pdfkit' {
  import { Readable } from 'node:stream'

  interface DocumentOptions {
    size: [width: number, height: number]
    margin: number
    /** File of the default font. */
    font: string
    lang: string
    info: { Title: string; Subject: string; Creator: string; CreationDate: Date }
  }

  export default class PDFDocument extends Readable {
    constructor(options: DocumentOptions)
    registerFont(name: string, file: string): this
    end(): void
  }
}

declare module 'svg-to-pdfkit' {
  import type PDFDocument from 'pdfkit'

  interface SvgOptions {
    width: number
    height: number
    /** Numbers are points, not pixels. */
    assumePt: boolean
    fontCallback(family: string, isBold: boolean): string
    warningCallback(message: string): void
  }

  export default function draw(document: PDFDocument, svg: string, x: number, y: number, options: SvgOptions): void
}
