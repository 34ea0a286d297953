// All access to files that a user names.
export { fileFault, isFileError } from './file-fault.ts'
export { makeFolder } from './folder.ts'
export { readBytes, readText } from './read-file.ts'
export { ComponentFolder } from './component-folder.ts'
export { writePieces, writeWhole } from './write-file.ts'
