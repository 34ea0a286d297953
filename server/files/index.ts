// The one place through which files that a user names are read and written.
export { fileFault, isFileError } from './file-fault.ts'
export { makeFolder } from './folder.ts'
export { readBytes, readText } from './read-file.ts'
export { ComponentFolder } from './component-folder.ts'
export { writePieces, writeWhole } from './write-file.ts'
