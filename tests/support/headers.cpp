// SPDX-License-Identifier: Apache-2.0
// The target test_headers precompiles the headers that most tests include; a target needs a source.
