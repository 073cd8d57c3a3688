# SPDX-License-Identifier: Apache-2.0
# each COMMANDS: runs the commands for each user who's logged in.
each() { if [ -n "$dry" ]; then say "for each user who's logged in: $(printf %s "$1" | tr -s ' \n' ' ')"; else each_user "$1"; fi; }
