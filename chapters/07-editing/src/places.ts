import {
  composedView,
  linesView,
  NO_BOUNDARY,
  type Place,
  type TextFile,
  typedView,
  type View,
} from '../given/text-file.ts'

/**
 * Every place at which `oldText` stands in the file, in order, overlapping ones included. `oldText` is not empty.
 *
 * The text is looked for in up to three ways. The first that finds anything decides, and all that it finds counts:
 * 1. as it was typed (`typedView`), if it has a `\r` in it: whoever types `\r` can see line ends;
 * 2. line by line (`linesView`): `\n` in the old text, and `\r\n` too, stands for either line end of the file;
 * 3. composed (`composedView`), with the old text in the same form: that of search 2, normalized to NFC.
 *
 * A place never begins or ends inside a letter (NO_BOUNDARY), and never takes in the byte order mark: where
 * nothing is left without the mark, there is no place.
 */
export function findPlaces(file: TextFile, oldText: string): Place[] {
  // TODO(task 1): Look in one view after the other, and stop at the first that has the text.
  throw new Error('TODO(task 1): findPlaces')
}

/** Every place at which `wanted` stands in the view's text, in bytes of the file. Overlapping ones count. */
function placesIn(view: View, wanted: string): Place[] {
  // TODO(task 1): Find every occurrence, and say which bytes it is made of.
  throw new Error('TODO(task 1): placesIn')
}

/** The places to replace when all are meant: where some overlap, the first of them. */
export function withoutOverlaps(places: Place[]): Place[] {
  // TODO(task 1): Leave out each place that begins before the last one taken has ended.
  throw new Error('TODO(task 1): withoutOverlaps')
}
