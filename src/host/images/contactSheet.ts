// Several pictures on one sheet.
import type { Images } from '../../kernels/camera/rasteriser.ts';
import { imageOf } from './agentImages.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** [row, column, red green blue] */
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Halves a sheet of pictures in both directions by means of four pixels: smooth edges for little cost. */
export function halve({ width, height, data }: Picture): Picture {
  const [columns, rows] = [width >> 1, height >> 1];
  const half = new Uint8Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const from = (row * 2 * width + column * 2) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const at = from + channel;
        const sum = data[at]! + data[at + 3]! + data[at + width * 3]! + data[at + width * 3 + 3]!;
        half[(row * columns + column) * 3 + channel] = (sum + 2) >> 2;
      }
    }
  }
  return { width: columns, height: rows, data: half };
}

const gap = 4;

/** Lays pictures out in rows of `columns`, with a white gap between them. */
export function contactSheet(images: Images, columns: number): Picture {
  const { width, height, count } = images;
  const rows = Math.ceil(count / columns);
  const sheetWidth = columns * (width + gap) - gap;
  const sheetHeight = rows * (height + gap) - gap;
  const data = new Uint8Array(sheetWidth * sheetHeight * 3).fill(255);
  for (let view = 0; view < count; view++) {
    const image = imageOf(images, view);
    const left = (view % columns) * (width + gap);
    const top = Math.floor(view / columns) * (height + gap);
    for (let row = 0; row < height; row++) {
      let to = ((top + row) * sheetWidth + left) * 3;
      let from = row * width * 4;
      for (let column = 0; column < width; column++) {
        data[to++] = image[from]!;
        data[to++] = image[from + 1]!;
        data[to++] = image[from + 2]!;
        from += 4;
      }
    }
  }
  return { width: sheetWidth, height: sheetHeight, data };
}
