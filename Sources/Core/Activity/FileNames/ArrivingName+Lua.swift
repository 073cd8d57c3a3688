// SPDX-License-Identifier: Apache-2.0

extension ArrivingName {
  /// Modules that programs in Lua require if they exist. LuaJIT and Lua 5.1 look in the folder that they are started in
  /// first, and Neovim after its own folders: `pcall(require, "cmp")` runs `cmp.lua` or `cmp/init.lua` there.
  static let luaModules = words(
    """
    aerial alpha argparse async barbar base64 blink bufferline catppuccin cjson cmp cmp_nvim_lsp comment compat53
    config conform copas copilot crates dap dapui dashboard dkjson dressing ffi fidget flash fzf-lua gitsigns
    harpoon hop http ibl icons illuminate impatient indent_blankline init inspect jit json keybindings keymaps lazy
    lazyvim lfs lgi lpeg lsp lspconfig lspkind lspsaga ltn12 lua-utf8 luacov lualine luarocks luasnip mason
    mason-lspconfig md5 mime mini mp navigator neo-tree neodev neogit neotest noice none-ls notify nui null-ls nvim
    nvim-autopairs nvim-navic nvim-tree nvim-treesitter nvim-web-devicons oil options packer penlight persistence pl
    plenary plugins posix project_nvim re rocks serpent settings snacks socket ssl symbols-outline telescope
    template term todo-comments toggleterm tokyonight treesitter trouble ts_context_commentstring ufo user utils
    vim_lsp web-devicons which-key yanky zen-mode zlib
    """
  )
}
